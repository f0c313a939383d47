// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {cheats} from "./Cheats.sol";
import {Escrow, Usdc, deploy} from "./Deployed.sol";
import {Handler} from "./Handler.sol";

/// @dev What holds after any calls, by anybody, in any order.
contract JobEscrowInvariants {
    address private constant TREASURY = address(0x7eA5);
    uint256 private constant WEALTH = 100_000_000;
    uint256 private constant PEOPLE = 7;

    Escrow private escrow;
    Usdc private token;
    Handler private handler;
    uint256 private supply;

    function setUp() external {
        token = Usdc(deploy("TEST_USDC", abi.encode("USD Coin", "USDC", uint8(6), address(this))));
        escrow = Escrow(deploy("JOB_ESCROW", abi.encode(token, TREASURY, uint16(750), cheats.addr(1))));
        handler = new Handler(escrow, token, TREASURY);
        for (uint256 i; i < PEOPLE; i++) {
            token.mint(handler.holders(i), WEALTH);
            cheats.prank(handler.holders(i));
            token.approve(address(escrow), type(uint256).max);
        }
        supply = token.totalSupply();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_moneyIsWhereTheJobsSay() external view {
        _checkEscrowed();
        _checkMoves();
        _checkSupply();
    }

    function _checkEscrowed() private view {
        uint256 running;
        for (uint256 id = 1; id <= escrow.jobCount(); id++) {
            Escrow.Job memory job = escrow.getJob(id);
            if (_isRunning(job)) running += job.budget;
        }
        uint256 held = token.balanceOf(address(escrow));
        require(held >= running, "the escrow holds less than it owes");
        require(held == running + _unpaid() + handler.donated(), "the escrow holds what belongs to nobody");
    }

    /// @dev Money moves only as jobs move, and jobs only by listed moves.
    function _checkMoves() private view {
        string memory violation = handler.violation();
        require(bytes(violation).length == 0, violation);
    }

    function _checkSupply() private view {
        uint256 sum = token.balanceOf(TREASURY) + token.balanceOf(address(escrow));
        for (uint256 i; i < PEOPLE; i++) sum += token.balanceOf(handler.holders(i));
        require(sum == supply && token.totalSupply() == supply, "the sum of all balances changed");
    }

    /// @dev At the end of each run: an hour after its expiry any running job gives its money back.
    function afterInvariant() external {
        // The last call may have been reverted, and a refusal that it mocked stays.
        cheats.clearMockedCalls();
        for (uint256 id = 1; id <= escrow.jobCount(); id++) {
            Escrow.Job memory job = escrow.getJob(id);
            if (!_isRunning(job)) continue;
            cheats.warp(job.expiredAt + 1 hours);
            uint256 before = token.balanceOf(job.client);
            escrow.claimRefund(id);
            require(token.balanceOf(job.client) == before + job.budget, "a refund of another amount");
        }
        require(
            token.balanceOf(address(escrow)) == _unpaid() + handler.donated(),
            "money is left that nobody can claim"
        );
    }

    /// @dev What the token refused to transfer to the treasury and to clients.
    function _unpaid() private view returns (uint256 sum) {
        sum = escrow.unpaidFees();
        for (uint256 i; i < PEOPLE; i++) sum += escrow.unpaidReturns(handler.holders(i));
    }

    function _isRunning(Escrow.Job memory job) private pure returns (bool) {
        return job.status == Escrow.JobStatus.Funded || job.status == Escrow.JobStatus.Submitted;
    }
}
