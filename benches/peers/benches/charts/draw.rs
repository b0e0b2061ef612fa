//! The charts, as SVG without a background, in colours that can be read on a light and on a dark page.

use std::path::Path;

use anyhow::{Context as _, Result};
use folio_benches::contest::Outcome;
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::depth::{Panel, RIVALS};
use crate::round_trips::{BY_HAND, FOLIO, Network};

/// Text and axes.
const INK: RGBColor = RGBColor(118, 131, 144);

/// Those of [`RIVALS`].
const COLORS: [RGBColor; 4] =
    [RGBColor(47, 129, 247), RGBColor(219, 109, 40), RGBColor(46, 160, 67), RGBColor(191, 75, 138)];

const HEIGHT: u32 = 380;

fn text(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

fn milliseconds(outcome: &Outcome, rival: &str) -> Option<f64> {
    Some(outcome.median(rival)?.as_secs_f64() * 1e3)
}

/// The time of a page against the rows before it: a panel for each database, all with the same axes.
pub fn depth(file: &Path, panels: &[Panel]) -> Result<()> {
    let times = panels.iter().flat_map(|panel| &panel.pages);
    let times = times.flat_map(|(_, outcome)| RIVALS.iter().filter_map(|rival| milliseconds(outcome, rival)));
    let (least, most) = times.fold((f64::MAX, 0_f64), |(least, most), time| (least.min(time), most.max(time)));
    let deepest = panels.iter().flat_map(|panel| &panel.pages).map(|(depth, _)| *depth).max().context("no pages")?;
    let x_axis = 10.0..deepest as f64 * 1.2;
    let y_axis = least * 0.7..most * 1.5;

    let area = SVGBackend::new(file, (350 * u32::try_from(panels.len())?, HEIGHT)).into_drawing_area();
    let (legend, area) = area.split_vertically(30);
    draw_legend(&legend, &RIVALS.map(|rival| if rival == "folio" { "folio, by cursor" } else { rival }))?;
    for (area, panel) in area.split_evenly((1, panels.len())).iter().zip(panels) {
        let mut axes = ChartBuilder::on(area)
            .caption(panel.database, text(19))
            .margin(8)
            .margin_right(16)
            .x_label_area_size(46)
            .y_label_area_size(64)
            .build_cartesian_2d(x_axis.clone().log_scale(), y_axis.clone().log_scale())?;
        axes.configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(INK.mix(0.25))
            .axis_style(INK)
            .label_style(text(14))
            .axis_desc_style(text(15))
            .x_desc("rows before the page")
            .x_label_formatter(&|rows| short(*rows))
            .y_desc("milliseconds")
            .y_label_formatter(&|time| format!("{time}"))
            .draw()?;
        // folio last, on top of the others.
        for (rival, color) in RIVALS.iter().zip(COLORS).rev() {
            let point = |(depth, outcome): &(i64, Outcome)| Some((*depth as f64, milliseconds(outcome, rival)?));
            let points: Vec<(f64, f64)> = panel.pages.iter().filter_map(point).collect();
            axes.draw_series(LineSeries::new(points.clone(), color.stroke_width(2)))?;
            axes.draw_series(points.into_iter().map(|point| Circle::new(point, 3, color.filled())))?;
        }
    }
    Ok(area.present()?)
}

/// Two bars for each network.
pub fn round_trips(file: &Path, networks: &[Network]) -> Result<()> {
    let bars: Vec<(&Network, [f64; 2])> = networks
        .iter()
        .filter_map(|network| {
            let time = |rival| milliseconds(&network.outcome, rival);
            Some((network, [time(BY_HAND)?, time(FOLIO)?]))
        })
        .collect();
    if bars.is_empty() {
        return Ok(());
    }
    let most = bars.iter().flat_map(|(_, times)| times).fold(0_f64, |most, time| most.max(*time));

    let area = SVGBackend::new(file, (760, HEIGHT)).into_drawing_area();
    let (legend, area) = area.split_vertically(30);
    draw_legend(&legend, &["folio: one statement", "by hand: two statements"])?;
    let mut axes = ChartBuilder::on(&area)
        .margin(8)
        .x_label_area_size(46)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..bars.len() as f64, 0.0..most * 1.12)?;
    axes.configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.25))
        .axis_style(INK)
        .label_style(text(14))
        .axis_desc_style(text(15))
        .y_desc("milliseconds")
        .draw()?;
    let [folio, by_hand, ..] = COLORS;
    for (at, (network, times)) in bars.iter().enumerate() {
        let left = at as f64;
        for (time, color, begin) in [(times[0], by_hand, left + 0.14), (times[1], folio, left + 0.52)] {
            axes.draw_series([Rectangle::new([(begin, 0.0), (begin + 0.34, time)], color.filled())])?;
            let label = EmptyElement::at((begin + 0.17, time)) + Text::new(format!("{time:.2}"), (-13, -17), text(14));
            axes.draw_series([label])?;
        }
        let name = format!("{}, {}", network.server, network.name);
        let (x, y) = axes.backend_coord(&(left + 0.5, 0.0));
        let width = i32::try_from(area.estimate_text_size(&name, &text(14))?.0)?;
        let (_, top) = area.get_base_pixel();
        area.draw(&Text::new(name, (x - width / 2, y - top + 10), text(14)))?;
    }
    Ok(area.present()?)
}

fn draw_legend(area: &DrawingArea<SVGBackend<'_>, Shift>, names: &[&'static str]) -> Result<()> {
    let mut x = 64;
    for (name, color) in names.iter().zip(COLORS) {
        area.draw(&PathElement::new([(x, 16), (x + 22, 16)], color.stroke_width(3)))?;
        area.draw(&Text::new(*name, (x + 28, 8), text(17)))?;
        x += 60 + i32::try_from(area.estimate_text_size(name, &text(17))?.0)?;
    }
    Ok(())
}

/// `1000` as `1k`, `1000000` as `1M`.
fn short(rows: f64) -> String {
    match rows {
        1e6.. => format!("{}M", rows / 1e6),
        1e3.. => format!("{}k", rows / 1e3),
        _ => format!("{rows}"),
    }
}
